interface SectionsProps {
  sections: readonly { readonly heading: string; readonly paragraphs: readonly string[] }[];
  /** of each section */
  className: string | undefined;
}

/** A text of the operator under its headings. Always rendered as text, never as markup. */
export function Sections({ sections, className }: SectionsProps) {
  return sections.map(({ heading, paragraphs }) => (
    <section key={heading} className={className}>
      <h3>{heading}</h3>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </section>
  ));
}
