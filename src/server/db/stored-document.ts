/**
 * A document as its operator edits it. Content for certain methods is shown where the brand offers one of them, and
 * `{methods}` is replaced by the names of all offered methods, so help follows the methods without editing.
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
  /** codes of methods; without them it is shown to everyone */
  readonly methods?: readonly string[] | undefined;
  /** a related page of the shop; other targets are not shown */
  readonly link?: { readonly to: string; readonly text: string } | undefined;
}

interface ForMethods {
  readonly methods: readonly string[];
  readonly text: string;
}
