import { createFileRoute } from '@tanstack/react-router';
import { AuthLayout } from '#web/shells/auth-layout.tsx';

export const Route = createFileRoute('/_auth')({ component: AuthLayout });
