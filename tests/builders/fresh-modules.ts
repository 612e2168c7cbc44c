import { vi } from 'vitest';

// Modules of the storefront know who is signed in and in which language: no file of tests finds what another has left.
vi.resetModules();
