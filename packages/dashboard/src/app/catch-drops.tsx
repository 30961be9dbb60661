import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { droppedFiles } from '../data/dropped-files.js'
import { useSession } from '../data/session.js'
import { filesOf } from '../pages/upload/dropped-files.js'
import classes from './shell.module.css'
import { strings } from './strings.js'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true

/**
 * Takes files that are dropped beside a drop zone to the upload page, for users who may upload. The browser would leave
 * the dashboard and open them.
 */
export function CatchDrops() {
  const { may } = useSession()
  const navigate = useNavigate()
  const mayUpload = may(['uploads', 'create'])
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      const isInZone = event.defaultPrevented
      event.preventDefault()
      if (!mayUpload && event.dataTransfer && !isInZone) event.dataTransfer.dropEffect = 'none'
      setIsOver(mayUpload && !isInZone)
    }
    const drop = (event: DragEvent) => {
      setIsOver(false)
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      if (!mayUpload || !event.dataTransfer) return
      void filesOf(event.dataTransfer).then(async (files) => {
        droppedFiles.put(files)
        if (window.location.pathname.endsWith('/upload')) return
        await navigate({ to: '/upload' })
        // The user may have stayed because of unsaved changes.
        if (!window.location.pathname.endsWith('/upload')) droppedFiles.take()
      })
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [mayUpload, navigate])
  return isOver && <div className={classes.drop}>{strings.dropAnywhere}</div>
}
