interface KnownUsernameProps {
  value: string;
}

/** A hidden username field, so that a password manager assigns the password to the right account. */
export function KnownUsername({ value }: KnownUsernameProps) {
  return <input type="text" name="username" autoComplete="username" value={value} readOnly hidden />;
}
