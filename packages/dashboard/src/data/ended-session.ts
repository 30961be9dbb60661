import { useSyncExternalStore } from 'react'

/** Whether the session ended while somebody works, and what they were told: asked to sign in, or asked and busy with something else. */
type Ending = 'none' | 'asked' | 'put off'

interface Waiting {
  readonly goOn: () => void
  readonly giveUp: () => void
}

let ending: Ending = 'none'
let waiting: readonly Waiting[] = []
const listeners = new Set<() => void>()

/** The end of a session, over the page that it happened on: what was typed there stays. */
export const endedSession = {
  get: () => ending,
  /** Asks for the password, unless that was put off and nobody waits for an answer. */
  ask(isNeeded: boolean): void {
    if (isNeeded || ending === 'none') set('asked')
  },
  /** Until somebody has signed in; rejects if they will not. */
  async over(isNeeded: boolean): Promise<void> {
    if (ending === 'put off' && !isNeeded) throw new Error('The sign-in was put off.')
    endedSession.ask(isNeeded)
    await new Promise<void>((goOn, giveUp) => {
      waiting = [...waiting, { goOn, giveUp }]
    })
  },
  putOff(): void {
    set('put off')
    settle('giveUp')
  },
  /** Somebody is signed in again. */
  renewed(): void {
    set('none')
    settle('goOn')
  },
  /** Whoever was signed in has left. */
  forget(): void {
    set('none')
    settle('giveUp')
  },
}

function settle(how: keyof Waiting): void {
  const settled = waiting
  waiting = []
  for (const one of settled) one[how]()
}

function set(next: Ending): void {
  ending = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useEndedSession = (): Ending => useSyncExternalStore(subscribe, endedSession.get)
