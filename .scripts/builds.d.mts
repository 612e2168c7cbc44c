export function servedBuilds(folder: string): string[];
export function startBuild(folder: string): string;
export function finishBuild(folder: string, making: string, id: string): void;
export function switchTo(folder: string, id: string): void;
export function linkTo(link: string, folder: string): void;
