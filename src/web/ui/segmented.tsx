import { useEffect, useRef, type ReactNode } from 'react';
import styles from './segmented.module.css';

interface Segment<Value extends string> {
  value: Value;
  label: ReactNode;
  badge?: ReactNode;
}

interface SegmentedProps<Value extends string> {
  legend: ReactNode;
  name: string;
  /** leave out, with `defaultValue`, where only CSS reads the checked segment */
  value?: Value | undefined;
  defaultValue?: Value | undefined;
  onChange?: ((value: Value) => void) | undefined;
  options: readonly Segment<Value>[];
}

/** A few short choices in one bar: real radio buttons, so that it works without scripts. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { value, defaultValue, onChange } = props;
  const bar = useChosenEarly(props);
  return (
    <fieldset ref={bar}>
      <legend className="sr-only">{props.legend}</legend>
      <div className={styles.bar}>
        {props.options.map((option) => (
          <label key={option.value} className={styles.part}>
            <input
              type="radio"
              className={styles.radio}
              name={props.name}
              value={option.value}
              {...(value === undefined
                ? { defaultChecked: option.value === defaultValue }
                : { checked: option.value === value })}
              onChange={() => onChange?.(option.value)}
            />
            <span>{option.label}</span>
            {option.badge ? <span className={styles.badge}>{option.badge}</span> : null}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Reports a choice that the visitor made in the server's HTML before hydration. */
function useChosenEarly<Value extends string>({ value, options, onChange }: SegmentedProps<Value>) {
  const bar = useRef<HTMLFieldSetElement>(null);
  const start = useRef({ value, options, onChange });
  useEffect(() => {
    const { value: drawn, options: known, onChange: choose } = start.current;
    const chosen = bar.current?.querySelector<HTMLInputElement>(':checked')?.value;
    const found = known.find((option) => option.value === chosen);
    if (drawn !== undefined && found && found.value !== drawn) choose?.(found.value);
  }, []);
  return bar;
}
