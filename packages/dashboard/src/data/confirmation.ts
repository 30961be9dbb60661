import { useSyncExternalStore } from 'react'
import { GivenUp } from './given-up.js'

interface Waiting {
  readonly confirmed: () => void
  readonly giveUp: () => void
}

let waiting: readonly Waiting[] = []
const listeners = new Set<() => void>()

/** The dialog for the password that the server asks for before sensitive actions. */
export const confirmation = {
  /** Resolves when the user has confirmed the password. Rejects if the user cancels. */
  ask: (): Promise<void> =>
    new Promise((resolve, reject) =>
      set([...waiting, { confirmed: resolve, giveUp: () => reject(new GivenUp()) }]),
    ),
  end(how: keyof Waiting): void {
    const ended = waiting
    set([])
    for (const one of ended) one[how]()
  },
}

function set(next: readonly Waiting[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useConfirmationAsked = (): boolean => useSyncExternalStore(subscribe, () => waiting.length > 0)
