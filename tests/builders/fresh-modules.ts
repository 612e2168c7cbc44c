import { vi } from 'vitest';

// Modules of the storefront store the session and the language: each test file starts with fresh ones.
vi.resetModules();
