import { useRouter } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** When somebody left the page before for good. */
    leaving?: number
  }
}

interface Change {
  readonly location: { readonly state: { readonly leaving?: number } }
}

/** Goes to the start page and does something there: whoever has unsaved changes is asked first, and may stay. */
export function useLeave(): (then: () => unknown) => Promise<void> {
  const router = useRouter()
  return async (then) => {
    const leaving = Date.now()
    let hasLeft = false
    // For those who stay, the next page is one that they go to later, for another reason.
    const forget: () => void = router.history.subscribe(({ location }: Change) => {
      forget()
      hasLeft = location.state.leaving === leaving
    })
    await router.navigate({ to: '/', state: { leaving } })
    if (hasLeft) await then()
  }
}
