import { schemesIn } from '#web/domain/payments/payer/card-brand.ts';
import { MethodMark, SchemeMark } from '#web/ui/marks/method-mark.tsx';
import styles from './method-icon.module.css';

/** The logo of a method; without a code, that of its family. */
export function MethodIcon({ code = '', icon }: { code?: string; icon: string }) {
  return <MethodMark code={code} icon={icon} />;
}

interface CardMarksProps {
  /** ISO 4217: which schemes are common depends on the currency */
  currencies: readonly string[];
}

/** The accepted card schemes, as many as fit in one line. */
export function CardMarks({ currencies }: CardMarksProps) {
  return (
    <span className={styles.marks}>
      {schemesIn(currencies).map((scheme) => (
        <SchemeMark key={scheme} scheme={scheme} />
      ))}
    </span>
  );
}
