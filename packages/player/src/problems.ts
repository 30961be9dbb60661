/** Why a video does not play: the code of the `error` event, and of the attribute `problem`. */
export type ProblemCode = 'network' | 'not_allowed' | 'removed' | 'failed' | 'not_supported' | 'media'

/** The problem, with the server's message if there is one. */
export interface Problem {
  readonly code: ProblemCode
  readonly message?: string
  readonly status?: number
  /** The server's error code, such as subscription_required. */
  readonly reason?: string
}

/** The message over the picture while there is nothing to play. */
export interface Notice {
  readonly code: ProblemCode | 'preparing'
  readonly title: string
  readonly text: string
  readonly progress?: number
  readonly retry: boolean
  /** Whether the viewer could get access, on the page of the video. */
  readonly locked?: boolean
}

const titles: Record<ProblemCode, string> = {
  network: 'Connection trouble',
  not_allowed: 'You cannot watch this video',
  removed: 'This video is gone',
  failed: 'This video could not be prepared',
  not_supported: 'This browser cannot play the video',
  media: 'The video cannot be played',
}

/** More specific titles, for refusals with a known code. */
const titlesByReason: Readonly<Record<string, string>> = {
  wrong_site: 'This video cannot be shown here',
  wrong_place: 'This video cannot be watched where you are',
  registration_required: 'Sign in to watch',
  subscription_required: 'This video is for subscribers',
  pass_required: 'You need a pass to watch',
  purchase_required: 'Buy it to watch',
  rental_required: 'Rent it to watch',
  redemption_code_required: 'You need a code to watch',
}

const texts: Record<ProblemCode, string> = {
  network: 'We keep trying. Playback goes on where it stopped.',
  not_allowed: 'It may need a sign-in, a subscription, or a visit from another country.',
  removed: 'It has been removed, or the address is wrong.',
  failed: 'Something is wrong with the file it was made from.',
  not_supported: 'Please try a newer one.',
  media: 'A part of it is damaged or has a form this browser does not know.',
}

/** Problems that may be temporary. */
const worthTrying: ReadonlySet<ProblemCode> = new Set(['network', 'media'])

export const isProblemCode = (text: string | null): text is ProblemCode =>
  text !== null && Object.hasOwn(titles, text)

export const noticeOf = ({ code, message, reason = '' }: Problem): Notice => ({
  code,
  title: titlesByReason[reason] ?? titles[code],
  text: message || texts[code],
  retry: worthTrying.has(code),
  locked: /^(registration|subscription|pass|purchase|rental|redemption_code)_required$/.test(reason),
})

export const preparingNotice = (progress?: number, message?: string): Notice => ({
  code: 'preparing',
  title: 'This video is being prepared',
  text: message || 'It can be watched here as soon as it is ready.',
  progress,
  retry: false,
})

/** The problem that an HTTP status of a playlist, segment or status URL means. */
export function problemOfStatus(status: number, { message, code: reason }: Refusal = {}): Problem {
  const told = { message, status, reason: status === 451 ? 'wrong_place' : reason }
  if (status === 401 || status === 403 || status === 451) return { code: 'not_allowed', ...told }
  if (status === 404 || status === 410) return { code: 'removed', ...told }
  return { code: 'network', status }
}

/** What a response of our server says about a refusal. */
export interface Refusal {
  readonly message?: string
  readonly code?: string
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Parses the refusal in a response: `{"message": …, "code": …}`. */
export function refusalIn(body: string | undefined): Refusal {
  try {
    const { message, code } = JSON.parse(body ?? '') as Record<string, unknown>
    return { message: textOf(message), code: textOf(code) }
  } catch {
    return {}
  }
}
