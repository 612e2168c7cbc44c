import type { ReactNode } from 'react';
import styles from './choice.module.css';
import type { Elements } from './elements.ts';

export interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
  detail?: ReactNode;
  badge?: Elements;
  icon?: ReactNode;
  disabled?: boolean | undefined;
}

interface ChoiceGroupProps<Value extends string> {
  legend: ReactNode;
  name: string;
  value: Value | undefined;
  onChange: (value: Value) => void;
  options: readonly Choice<Value>[];
  hideLegend?: boolean | undefined;
  /** content of the chosen option, below it */
  unfolded?: ReactNode;
}

/** A list of cards with real radio buttons, so that arrow keys, forms and screen readers work. */
export function ChoiceGroup<Value extends string>(props: ChoiceGroupProps<Value>) {
  return (
    <fieldset className={styles.group}>
      <legend className={props.hideLegend ? 'sr-only' : styles.legend}>{props.legend}</legend>
      <div className={styles.list}>
        {props.options.map((option) => (
          <div key={option.value} className={styles.option}>
            <label className={styles.card}>
              <input
                type="radio"
                className={styles.radio}
                name={props.name}
                value={option.value}
                checked={option.value === props.value}
                disabled={option.disabled}
                onChange={() => props.onChange(option.value)}
              />
              {option.icon ? <span className={styles.icon}>{option.icon}</span> : null}
              <span className={styles.words}>
                <span className={styles.label}>{option.label}</span>
                {option.detail ? <span className={styles.detail}>{option.detail}</span> : null}
              </span>
              {option.badge}
            </label>
            {props.unfolded && option.value === props.value ? (
              <div className={styles.unfolded}>{props.unfolded}</div>
            ) : null}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
