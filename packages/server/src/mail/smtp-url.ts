/** Where mail is handed over, and as whom. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly login: { readonly user: string; readonly pass: string } | undefined
}

/** Reads an SMTP_URL that the settings have found in order. */
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
