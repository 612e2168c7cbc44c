import { QueryClientProvider } from '@tanstack/react-query';
import { I18nProvider } from '@lingui/react';
import { MessageText } from '../platform/i18n/message-text.tsx';
import { BrandContext } from '../platform/brand/brand-context.tsx';
import type { RouterContext } from '../platform/routing/router-context.ts';
import type { Elements } from '../ui/elements.ts';

/** What every component may use, the same on the server and in the browser. */
export function Providers({ queryClient, i18n, brand, children }: RouterContext & { children: Elements }) {
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider i18n={i18n} defaultComponent={MessageText}>
        <BrandContext value={brand}>{children}</BrandContext>
      </I18nProvider>
    </QueryClientProvider>
  );
}
