import { createFileRoute } from '@tanstack/react-router';
import { PlainLayout } from '#web/shells/plain-layout.tsx';

export const Route = createFileRoute('/_plain')({ codeSplitGroupings: [], component: PlainLayout });
