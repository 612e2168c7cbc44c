/**
 * A document as its operator keeps it. What is for some methods only is shown where the brand offers one of them, and
 * `{methods}` stands for the names of all that it offers; so help follows the methods without anybody editing it.
 */
export interface StoredDocument {
  readonly title: string;
  /** epoch milliseconds */
  readonly updatedAt: number;
  readonly sections: readonly StoredSection[];
}

interface StoredSection {
  readonly heading: string;
  readonly paragraphs: readonly (string | ForMethods)[];
  /** codes of methods; without them it is for everybody */
  readonly methods?: readonly string[] | undefined;
  /** a page of the shop that helps; anything else is not shown */
  readonly link?: { readonly to: string; readonly text: string } | undefined;
}

interface ForMethods {
  readonly methods: readonly string[];
  readonly text: string;
}
