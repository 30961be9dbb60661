import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'
import { useSession } from '../../data/session.js'

type Open = Readonly<Record<string, boolean>>

export interface Folds {
  isOpen(name: string): boolean
  /** Opens or folds a group, as the user asked, and remembers it. */
  choose(name: string, isOpen: boolean): void
  /** Opens groups, as the user asked, and remembers it. */
  chooseAll(names: readonly string[], isOpen: boolean): void
  /** Opens a group for now. */
  show(name: string): void
}

/** Which groups of a form are open. The browser remembers what each user has opened. */
export function useFolds(isAllOpen: boolean): Folds {
  const { user } = useSession()
  const [chosen, setChosen] = useLocalStorage<Open>({
    key: `zoetrope.open-groups.${user._id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const [shown, setShown] = useState<Open>({})
  const chooseAll = (names: readonly string[], isOpen: boolean) => {
    const next = Object.fromEntries(names.map((name) => [name, isOpen]))
    setChosen((old) => ({ ...old, ...next }))
    setShown((old) => ({ ...old, ...next }))
  }
  return {
    isOpen: (name) => shown[name] ?? (isAllOpen || chosen[name] === true),
    choose: (name, isOpen) => chooseAll([name], isOpen),
    chooseAll,
    show: (name) => setShown((old) => ({ ...old, [name]: true })),
  }
}
