import { useRouter } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** When the user confirmed leaving the previous page. */
    leaving?: number
  }
}

interface Change {
  readonly location: { readonly state: { readonly leaving?: number } }
}

/** Goes to the home page and then runs a function. If there are unsaved changes, asks first, and the user may stay. */
export function useLeave(): (then: () => unknown) => Promise<void> {
  const router = useRouter()
  return async (then) => {
    const leaving = Date.now()
    let hasLeft = false
    // If the user stays, the next navigation has another cause and must not run the function.
    const forget: () => void = router.history.subscribe(({ location }: Change) => {
      forget()
      hasLeft = location.state.leaving === leaving
    })
    await router.navigate({ to: '/', state: { leaving } })
    if (hasLeft) await then()
  }
}
