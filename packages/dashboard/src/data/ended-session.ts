import { useSyncExternalStore } from 'react'

/** Whether the session has ended while the page is open: the sign-in dialog is shown, or the user has postponed it. */
type Ending = 'none' | 'asked' | 'put off'

interface Waiting {
  readonly goOn: () => void
  readonly giveUp: () => void
}

let ending: Ending = 'none'
let waiting: readonly Waiting[] = []
const listeners = new Set<() => void>()

/** The state of an ended session. The sign-in dialog opens over the page, so that unsaved input stays. */
export const endedSession = {
  get: () => ending,
  /** Opens the sign-in dialog, unless the user has postponed it and no change is waiting for it. */
  ask(isNeeded: boolean): void {
    if (isNeeded || ending === 'none') set('asked')
  },
  /** Resolves when the user has signed in again. Rejects if the user postpones it. */
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
  /** Call when the user has signed in again. */
  renewed(): void {
    set('none')
    settle('goOn')
  },
  /** Call when the user has signed out. */
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
