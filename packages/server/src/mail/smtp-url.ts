/** The mail server and its credentials. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly login: { readonly user: string; readonly pass: string } | undefined
}

/** Parses an SMTP_URL that the settings have validated. */
export function readSmtpUrl(smtpUrl: string): SmtpServer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    login: username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined,
  }
}
