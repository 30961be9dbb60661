import { useLayoutEffect, useRef, useState } from 'react'

/** Returns the same function on every render. It calls the latest one, so that parts that only need it do not redraw. */
export function useStable<A extends readonly unknown[], R>(run: (...given: A) => R): (...given: A) => R {
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  const [stable] = useState(
    () =>
      (...given: A) =>
        latest.current(...given),
  )
  return stable
}
