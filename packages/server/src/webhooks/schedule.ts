const minutes = 60
const hours = 60 * minutes

/** Seconds between an attempt and the next. The first attempt is at once. */
const delays = [5, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours, 10 * hours]

/** A delay is longer by up to this part, so that the deliveries of an outage are not repeated at one moment. */
const jitter = 0.1

/** Seconds until the next attempt after this many, or undefined if there is none. */
export function delayAfter(attempts: number, random = Math.random()): number | undefined {
  const delay = delays[attempts - 1]
  return delay === undefined ? undefined : delay * (1 + random * jitter)
}

/** A webhook whose deliveries have failed for so many days is switched off. */
export const daysOfFailure = 5
