/** A rung of the ladder, as the quality menu shows it. */
export interface Rung {
  readonly id: string
  readonly width: number
  readonly height: number
  readonly bitrate: number
}

/** The list that media-chrome looks for at `video.videoRenditions`; -1 leaves the choice to the player. */
export interface RungList extends EventTarget {
  readonly length: number
  selectedIndex: number
  replace(rungs: readonly Rung[]): void
  [Symbol.iterator](): Iterator<Rung>
  [index: number]: Rung
}

export function createRungList(): RungList {
  let rungs: readonly Rung[] = []
  let selected = -1
  const list = Object.assign(new EventTarget(), {
    replace(next: readonly Rung[]) {
      for (const index of rungs.keys()) Reflect.deleteProperty(list, index)
      rungs = next
      selected = -1
      Object.assign(list, { ...next })
      list.dispatchEvent(new Event('addrendition'))
    },
    [Symbol.iterator]: () => rungs[Symbol.iterator](),
  }) as EventTarget as RungList
  Object.defineProperties(list, {
    length: { get: () => rungs.length },
    selectedIndex: {
      get: () => selected,
      set(index: number) {
        if (index === selected) return
        selected = index
        list.dispatchEvent(new Event('change'))
      },
    },
  })
  return list
}
