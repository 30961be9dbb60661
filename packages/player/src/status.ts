import { backOff, pause } from './back-off.js'
import { eventsIn } from './event-stream.js'
import { type Problem, problemOfStatus, refusalIn } from './problems.js'

/** The video can be played, perhaps at a new URL. */
export interface Ready {
  readonly state: 'ready'
  readonly src?: string
  readonly file?: string
  readonly poster?: string
  readonly storyboard?: string
}

/** The state of a video, as its status URL returns it. */
export type Status =
  | { readonly state: 'preparing'; readonly progress?: number; readonly message?: string }
  | { readonly state: 'problem'; readonly problem: Problem }
  | Ready

const pollEvery = 2000

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Parses a status document: the fields of a video record, with `progress`, `src`, `poster` and `storyboard`. */
export function readStatus(document: unknown): Status {
  const outer = (document ?? {}) as { response?: unknown }
  const fields = (outer.response ?? outer) as Record<string, unknown>
  const message = textOf(fields.status_reason) ?? textOf(fields.message)
  if (fields.status === 'deleted') return { state: 'problem', problem: { code: 'removed', message } }
  if (fields.status === 'failed') return { state: 'problem', problem: { code: 'failed', message } }
  if (fields.status === 'ready' || textOf(fields.playable_at))
    return {
      state: 'ready',
      src: textOf(fields.src),
      file: textOf(fields.file),
      poster: textOf(fields.poster),
      storyboard: textOf(fields.storyboard),
    }
  const progress = typeof fields.progress === 'number' ? fields.progress : undefined
  return { state: 'preparing', progress, message }
}

const trouble: Status = { state: 'problem', problem: { code: 'network' } }

/** Yields the states that the URL returns: one for JSON, many for an event stream. */
async function* ask(url: string, signal: AbortSignal): AsyncGenerator<Status> {
  try {
    const headers = { accept: 'text/event-stream, application/json;q=0.9' }
    const reply = await fetch(url, { headers, signal, cache: 'no-store' })
    if (!reply.ok)
      yield { state: 'problem', problem: problemOfStatus(reply.status, refusalIn(await reply.text())) }
    else if (reply.body && reply.headers.get('content-type')?.startsWith('text/event-stream'))
      for await (const data of eventsIn(reply.body)) yield readStatus(JSON.parse(data))
    else yield readStatus(await reply.json())
  } catch {
    yield trouble
  }
}

const isTrouble = (status: Status) => status.state === 'problem' && status.problem.code === 'network'

/** Reports the state of the video until it is ready or has failed. Reports network errors and retries. */
export async function watchStatus(
  url: string,
  signal: AbortSignal,
  tell: (status: Status) => void,
): Promise<void> {
  let failures = 0
  const isLast = (status: Status): boolean => {
    failures = isTrouble(status) ? failures + 1 : 0
    return status.state !== 'preparing' && failures === 0
  }
  while (!signal.aborted) {
    for await (const status of ask(url, signal)) {
      if (!signal.aborted) tell(status)
      if (isLast(status)) return
    }
    await pause(failures > 0 ? backOff(failures) : pollEvery, signal)
  }
}
