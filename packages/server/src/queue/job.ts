/** A job as `enqueue` sees it. */
export interface JobKind<Payload = unknown> {
  readonly name: string
  /** The number of attempts. */
  readonly attempts: number
  /**
   * It writes to people, or continues what was begun for others. An installation that may be a copy of another one leaves it in
   * the queue.
   */
  readonly reachesOut?: true
  /** Never set: it ties the payload's type to the kind of job. */
  readonly payload?: Payload
}

/** A kind of job with an optional schedule and a function that is safe to run twice. */
export interface Job<Payload = unknown, Context = never> extends JobKind<Payload> {
  /** Minute, hour, day, month, weekday, as in a crontab, in UTC. */
  readonly every?: string
  /** Nobody waits for it: such jobs have their own runners and never delay others. */
  readonly isBackground?: true
  /** It mostly waits for other machines, so it has its own slots and delays no other job. */
  readonly waits?: true
  /** Workers without ffmpeg leave it in the queue. */
  readonly needsFfmpeg?: true
  // A method, so that jobs with different payloads fit into one list; `enqueue` ensures that each gets its
  // own.
  run(payload: Payload, context: Context): Promise<void>
}

/** Each has runners of its own, so that jobs of one line never delay those of another. */
export type JobLine = 'awaited' | 'background' | 'waiting'

export const lineOf = ({ isBackground, waits }: Pick<Job, 'isBackground' | 'waits'>): JobLine =>
  isBackground ? 'background' : waits ? 'waiting' : 'awaited'
