interface KnownUsernameProps {
  value: string;
}

/** Tells a password manager whose the password in this form is, where no field of the form says so. */
export function KnownUsername({ value }: KnownUsernameProps) {
  return <input type="text" name="username" autoComplete="username" value={value} readOnly hidden />;
}
