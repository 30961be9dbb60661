/** A job as `enqueue` needs to know it. */
export interface JobKind<Payload = unknown> {
  readonly name: string
  /** How often it is tried. */
  readonly attempts: number
  /** Never set: it ties the type of the payload to the kind of job. */
  readonly payload?: Payload
}

/** A kind of job, perhaps when it runs by itself, and a function that is safe to run twice. */
export interface Job<Payload = unknown, Context = never> extends JobKind<Payload> {
  /** Minute, hour, day, month, weekday: as in a crontab, in UTC. */
  readonly every?: string
  /** Nobody waits for it: such jobs have runners of their own, and never keep others waiting. */
  readonly isBackground?: true
  /** Waits for other machines more than it works: it has places of its own, and keeps no other job waiting. */
  readonly waits?: true
  /** Left in the queue by workers that have no ffmpeg. */
  readonly needsFfmpeg?: true
  // A method, so that jobs with payloads of their own fit into one list; `enqueue` sees to it that each gets its own.
  run(payload: Payload, context: Context): Promise<void>
}
