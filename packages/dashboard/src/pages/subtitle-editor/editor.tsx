import { ActionIcon, Alert, Button, Group, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Entry, Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { languageOf } from '../../ui/languages.js'
import { PageLayout } from '../../ui/page.js'
import { UnsavedGuard } from '../../ui/resource-form/unsaved-guard.js'
import { handleOf, Player, type PlayerHandle } from '../video/player.js'
import type { Cue } from '../video/subtitles/cues.js'
import { tabSearch } from '../video/tab-props.js'
import { timecode } from '../video/timecode.js'
import { usePlayhead } from '../video/use-playhead.js'
import { CuePreview } from './cue-preview.js'
import classes from './editor.module.css'
import { FindPanel } from './find-panel.js'
import { matchesIn, type Search } from './find-replace.js'
import { type EditorCommand, editorCommand } from './keys.js'
import { KeysDialog } from './keys-dialog.js'
import { removeLines } from './line-edits.js'
import { LineList } from './line-list.js'
import { allProblems } from './line-problems.js'
import { ProblemSummary } from './problem-summary.js'
import { ShiftPanel } from './shift-panel.js'
import { strings } from './strings.js'
import { type FocusTarget, useCommands } from './use-commands.js'
import { useCurrentLine } from './use-current-line.js'
import { useLines } from './use-lines.js'
import { useSaving } from './use-saving.js'
import { useSelection } from './use-selection.js'

interface EditorProps {
  readonly video: Video
  /** Undefined while it does not exist yet. */
  readonly subtitle: Entry<'subtitles'> | undefined
  /** The language of a new subtitle. */
  readonly language: string
  readonly cues: readonly Cue[]
  readonly parent: { readonly label: string; readonly to: string }
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)

/** Edits the lines of a subtitle beside the film. */
export function Editor({ video, subtitle, language, cues, parent }: EditorProps) {
  const { mayEdit } = useSession()
  const edited = useLines(cues)
  const { lines, change } = edited
  const frame = useRef<HTMLIFrameElement>(null)
  const player = useMemo(() => handleOf(frame), [])
  const [focus, setFocus] = useState<FocusTarget>()
  const [active, setActive] = useState<number>()
  const [panel, setPanel] = useState<'find' | 'shift'>()
  const [isHelping, setIsHelping] = useState(false)
  const [search, setSearch] = useState<Search>({ find: '', isCaseMatched: false })
  const [matchAt, setMatchAt] = useState(0)
  const [asked, setAsked] = useState(0)
  const current = useCurrentLine(player, lines)
  const problems = useMemo(() => allProblems(lines), [lines])
  const selection = useSelection(lines)
  const commands = useCommands(edited, player, setFocus, !mayEdit)
  const matches = useMemo(() => (panel === 'find' ? matchesIn(lines, search) : []), [panel, lines, search])
  const at = Math.min(matchAt, Math.max(0, matches.length - 1))
  const match = matches[at]
  const goTo = useCallback((key: number) => setFocus({ key, field: 'text' }), [])
  const saving = useSaving({ video, subtitle, language, edited, problems, goTo })
  const toggle = (name: 'find' | 'shift') => setPanel((old) => (old === name ? undefined : name))
  const closeFind = () => {
    setPanel(undefined)
    if (match) setFocus({ ...match, field: 'text' })
  }
  const run: Readonly<Record<EditorCommand, () => void>> = {
    save: saving.save,
    undo: edited.undo,
    redo: edited.redo,
    find() {
      setPanel('find')
      setAsked((count) => count + 1)
    },
    playPause: () => (player.isPlaying() ? player.pause() : player.play()),
    keys: () => setIsHelping(true),
  }
  useWindowEvent('keydown', (event) => {
    const isHelp = event.key === '?' && !isField(event.target)
    const command = isHelp ? 'keys' : editorCommand(event)
    if (!command || isHelping) return
    event.preventDefault()
    run[command]()
  })
  return (
    <PageLayout
      title={subtitle?.title ?? strings.newTitle(languageOf(language)?.name ?? language)}
      about={mayEdit ? strings.about : strings.readOnly}
      parents={[parent, { label: video.title, to: `/videos/${video._id}` }]}
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="left" size={16} />}
          renderRoot={(props) => (
            <Link to={`/videos/${video._id}`} search={tabSearch.to({ tab: 'subtitles' })} {...props} />
          )}
        >
          {strings.back}
        </Button>
      }
    >
      <div className={classes.columns}>
        <div className={classes.side}>
          <Player video={video} ref={frame} />
          <Group gap="xs">
            {mayEdit && (
              <>
                <Button
                  disabled={!edited.isDirty}
                  loading={saving.isPending}
                  onClick={saving.save}
                  leftSection={<Icon name="check" size={16} />}
                >
                  {strings.save}
                </Button>
                <Tool icon="undo" label={strings.undo} isOff={!edited.canUndo} onClick={edited.undo} />
                <Tool icon="again" label={strings.redo} isOff={!edited.canRedo} onClick={edited.redo} />
                <Tool
                  icon="clock"
                  label={strings.shift}
                  isOn={panel === 'shift'}
                  onClick={() => toggle('shift')}
                />
              </>
            )}
            <Tool icon="search" label={strings.find} isOn={panel === 'find'} onClick={() => toggle('find')} />
            <Tool icon="list" label={strings.keys} onClick={run.keys} />
            {mayEdit && <AddButton player={player} onAdd={commands.addAt} />}
          </Group>
          {saving.notice}
          {saving.problem && (
            <Alert color="red" variant="light" title={strings.notSaved} role="alert">
              {saving.problem}
            </Alert>
          )}
          {panel === 'find' && (
            <FindPanel
              lines={lines}
              search={search}
              matches={matches}
              at={at}
              isReadOnly={!mayEdit}
              asked={asked}
              onSearch={(next) => {
                setSearch(next)
                setMatchAt(0)
              }}
              onMove={setMatchAt}
              change={change}
              onClose={closeFind}
            />
          )}
          {panel === 'shift' && (
            <ShiftPanel lines={lines} active={active} selected={selection.keys} change={change} />
          )}
          {mayEdit && <ProblemSummary lines={lines} problems={problems} active={active} onShow={goTo} />}
          {selection.keys.size > 0 && (
            <Button
              variant="default"
              color="red"
              onClick={() => {
                change((now) => removeLines(now, selection.keys))
                selection.clear()
              }}
            >
              {strings.deleteSelected(selection.keys.size)}
            </Button>
          )}
          {mayEdit && (
            <Text size="xs" c="dimmed" visibleFrom="md">
              {strings.hint}
            </Text>
          )}
        </div>
        <LineList
          lines={lines}
          problems={problems}
          player={player}
          current={current}
          active={active}
          match={match}
          selected={selection.keys}
          focus={focus}
          language={subtitle?.language ?? language}
          isReadOnly={!mayEdit}
          commands={commands}
          onActive={setActive}
          onSelect={selection.toggle}
        />
      </div>
      <CuePreview lines={lines} player={player} />
      <KeysDialog isOpen={isHelping} onClose={() => setIsHelping(false)} />
      <UnsavedGuard isDirty={edited.isDirty} />
      {saving.dialog}
    </PageLayout>
  )
}

interface ToolProps {
  readonly icon: 'undo' | 'again' | 'clock' | 'search' | 'list'
  readonly label: string
  readonly isOff?: boolean
  /** Whether the panel of the tool is open. */
  readonly isOn?: boolean
  onClick(): void
}

const Tool = ({ icon, label, isOff = false, isOn, onClick }: ToolProps) => (
  <ActionIcon
    variant={isOn ? 'light' : 'default'}
    size="lg"
    aria-label={label}
    aria-expanded={isOn}
    title={label}
    disabled={isOff}
    onClick={onClick}
  >
    <Icon name={icon} size={16} />
  </ActionIcon>
)

/** Adds a line at the player's position. */
function AddButton({ player, onAdd }: { readonly player: PlayerHandle; onAdd(at: number): void }) {
  const at = usePlayhead(player)
  return (
    <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={() => onAdd(at)}>
      {strings.add(timecode(at))}
    </Button>
  )
}
