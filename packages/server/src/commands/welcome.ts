import type { Credentials } from '../auth/first-run.js'
import type { Config } from '../config.js'

interface Welcome {
  readonly config: Config
  readonly made: Credentials | undefined
  readonly credentialsPath: string | undefined
  /** Why there is no ffmpeg and what to install; empty if there is one. */
  readonly ffmpegProblem?: string
}

/** What a person sees when the platform is ready. Keys are named by their place, not shown: terminals are recorded. */
export function welcome({
  config: { apiUrl, databaseUrl, dataDir, workers },
  made,
  credentialsPath,
  ffmpegProblem,
}: Welcome): string {
  const read = `$(node -p "require('${credentialsPath}').keys.admin")`
  return [
    '',
    made ? 'Zoetrope is running. Welcome!' : 'Zoetrope is running.',
    '',
    `  API          ${apiUrl}`,
    `  Dashboard    ${apiUrl}/dashboard`,
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
