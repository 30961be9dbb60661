import type { Credentials } from '../auth/first-run.js'
import type { Config } from '../config/config.js'

interface Welcome {
  readonly config: Config
  readonly made: Credentials | undefined
  readonly credentialsPath: string | undefined
  /** Why there is no ffmpeg, and what to install; empty if there is one. */
  readonly ffmpegProblem?: string
  /** A one-time link for the first publisher, until they have signed in. */
  readonly signInLink: string | undefined
}

/**
 * The message shown when the platform is ready. Keys are named by their file and not shown, because terminals
 * are recorded. The link is worthless once it was used.
 */
export function welcome({
  config: { apiUrl, databaseUrl, dataDir, workers },
  made,
  credentialsPath,
  ffmpegProblem,
  signInLink,
}: Welcome): string {
  const read = `$(node -p "require('${credentialsPath}').keys.admin")`
  return [
    '',
    made ? 'Zoetrope is running. Welcome!' : 'Zoetrope is running.',
    '',
    `  API          ${apiUrl}`,
    `  Dashboard    ${apiUrl}/dashboard`,
    ...(signInLink ? [`  Sign in      ${signInLink} (once, within a day)`] : []),
    `  Reference    ${apiUrl}/docs`,
    `  Data         ${dataDir}${databaseUrl ? ' (database: DATABASE_URL)' : ''}`,
    `  Workers      ${workers}${workers === 0 ? ' (`zoetrope worker` runs one)' : ' beside it: jobs and video'}`,
    ...(ffmpegProblem
      ? [`  Video        ${ffmpegProblem} Until then uploads wait; no restart is needed.`]
      : []),
    ...(credentialsPath
      ? [`  Credentials  ${credentialsPath}${made ? ' (made just now: keys, app, publisher)' : ''}`]
      : []),
    ...(credentialsPath
      ? ['', '  Try it:', `  curl -H "X-Api-Key: ${read}" ${apiUrl}/videos -d 'video[title]=My first video'`]
      : ['', '  `zoetrope key list` shows the keys of a channel.']),
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n')
}
