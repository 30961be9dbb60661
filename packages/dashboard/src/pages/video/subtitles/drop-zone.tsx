import { Button, Group, Stack, Text } from '@mantine/core'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Icon } from '../../../ui/icons.js'
import { strings } from './strings.js'
import classes from './subtitles.module.css'

interface DropZoneProps {
  onFiles(files: readonly File[]): void
  /** More buttons. */
  readonly children?: ReactNode
}

/** Accepts subtitle files by drag and drop or from a file dialog. */
export function DropZone({ onFiles, children }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the buttons inside are for everybody
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" flex="1 1 16rem">
          <Icon name="upload" size={28} />
          <Stack gap={0}>
            <Text fw={600}>{strings.drop}</Text>
            <Text c="dimmed" size="sm">
              {strings.dropAbout}
            </Text>
          </Stack>
        </Group>
        <Group gap="xs">
          <Button onClick={() => input.current?.click()}>{strings.choose}</Button>
          {children}
        </Group>
      </Group>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept=".srt,.vtt,.txt,application/x-subrip,text/vtt"
        aria-label={strings.choose}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
