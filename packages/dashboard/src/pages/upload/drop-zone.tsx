import { Button, Group, Stack, Text } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import { Icon } from '../../ui/icons.js'
import { acceptedFiles, droppedFiles } from './dropped-files.js'
import { strings } from './strings.js'
import classes from './upload.module.css'

interface DropZoneProps {
  readonly isReplacing: boolean
  onFiles(files: readonly File[]): void
}

/** Accepts films by drag and drop or from a file dialog. */
export function DropZone({ isReplacing, onFiles }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void droppedFiles(event.dataTransfer).then(onFiles)
  }
  const choose = (input: HTMLInputElement) => {
    onFiles([...(input.files ?? [])])
    input.value = ''
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
      <Stack align="center" gap="xs" ta="center">
        <Icon name="upload" size={40} />
        <Text fw={600} size="lg">
          {strings.drop}
        </Text>
        <Text c="dimmed" maw="34rem">
          {isReplacing ? strings.replaceAbout : strings.dropAbout}
        </Text>
        <Group mt="sm" justify="center">
          <Button onClick={() => files.current?.click()}>{strings.chooseFiles}</Button>
          {!isReplacing && (
            <Button variant="default" onClick={() => folder.current?.click()}>
              {strings.chooseFolder}
            </Button>
          )}
        </Group>
      </Stack>
      <input
        ref={files}
        type="file"
        hidden
        multiple={!isReplacing}
        accept={acceptedFiles}
        aria-label={strings.chooseFiles}
        onChange={(event) => choose(event.currentTarget)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        multiple
        aria-label={strings.chooseFolder}
        onChange={(event) => choose(event.currentTarget)}
        {...{ webkitdirectory: '' }}
      />
    </div>
  )
}
