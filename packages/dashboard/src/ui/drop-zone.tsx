import { Button, type ButtonProps } from '@mantine/core'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import classes from './drop-zone.module.css'

interface DropZoneProps {
  readonly isLarge?: boolean
  onDrop(dropped: DataTransfer): void
  /** What it says, and buttons for those who do not drag. */
  readonly children: ReactNode
}

/** Accepts files by drag and drop. */
export function DropZone({ isLarge = false, onDrop, children }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    onDrop(event.dataTransfer)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the buttons inside are for everybody
    <div
      className={classes.zone}
      data-large={isLarge || undefined}
      data-over={isOver || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  )
}

interface ChooseFilesProps extends Pick<ButtonProps, 'variant'> {
  readonly label: string
  readonly accept?: string
  readonly isSingle?: boolean
  /** Asks for a folder, and takes all files in it. */
  readonly isFolder?: boolean
  onFiles(files: readonly File[]): void
}

/** A button that opens the browser's file dialog. */
export function ChooseFiles({ label, accept, isSingle, isFolder, onFiles, variant }: ChooseFilesProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant={variant} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={!isSingle}
        accept={accept}
        aria-label={label}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
        {...(isFolder ? { webkitdirectory: '' } : {})}
      />
    </>
  )
}
