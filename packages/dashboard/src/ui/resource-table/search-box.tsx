import { CloseButton, Loader, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../icons.js'
import { strings } from '../strings.js'
import type { ListState } from './use-resource-list.js'

const pauseMs = 150

/** Searches while the user types. The slash key focuses it. */
export function SearchBox<T>({ list }: { readonly list: ListState<T> }) {
  const asked = String(list.asked.q ?? '')
  const [text, setText] = useState(asked)
  const input = useRef<HTMLInputElement>(null)
  const search = useDebouncedCallback((q: string) => list.ask({ q }), pauseMs)
  // Follows the URL after the back button or a cleared filter.
  useEffect(() => setText((typed) => (typed.trim() === asked ? typed : asked)), [asked])
  useHotkeys([['/', () => input.current?.focus()]])
  const take = (next: string) => {
    setText(next)
    search(next.trim())
  }
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={strings.search}
      placeholder={strings.search}
      value={text}
      onChange={(event) => take(event.currentTarget.value)}
      leftSection={<Icon name="search" />}
      rightSection={
        list.query.isFetching && text !== '' ? (
          <Loader size="xs" />
        ) : (
          text !== '' && <CloseButton aria-label={strings.clearSearch} onClick={() => take('')} />
        )
      }
      flex="1 1 14rem"
      maw="26rem"
    />
  )
}
