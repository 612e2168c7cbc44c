import styles from './skeleton.module.css';

interface SkeletonProps {
  /** px or a percentage */
  width?: number | string | undefined;
  height?: number | string | undefined;
  lines?: number | undefined;
}

/**
 * A placeholder for loading content, in its size. An empty `<svg>` has the size as attributes, because the content
 * policy allows no inline styles.
 */
export function Skeleton({ width = '100%', height = 20, lines = 1 }: SkeletonProps) {
  return (
    <span className={styles.skeleton} aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        <svg
          key={line}
          className={styles.bone}
          width={line > 0 && line === lines - 1 ? '60%' : width}
          height={height}
        />
      ))}
    </span>
  );
}
