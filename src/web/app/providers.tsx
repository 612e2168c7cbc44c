import { QueryClientProvider } from '@tanstack/react-query';
import { I18nProvider } from '@lingui/react';
import { MessageText } from '#web/platform/i18n/message-text.tsx';
import { BrandContext } from '#web/platform/brand/brand-context.tsx';
import type { RouterContext } from '#web/platform/api/router-context.ts';
import type { Elements } from '#web/ui/elements.ts';

/** The context of every component, the same on the server and in the browser. */
export function Providers({ queryClient, i18n, brand, children }: RouterContext & { children: Elements }) {
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider i18n={i18n} defaultComponent={MessageText}>
        <BrandContext value={brand}>{children}</BrandContext>
      </I18nProvider>
    </QueryClientProvider>
  );
}
