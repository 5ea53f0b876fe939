import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Shortcuts, useShortcuts } from '../state/shortcuts.ts'

/** The list of keys, opened by `?`. */
export function ShortcutHelp({ shortcuts }: { readonly shortcuts: Shortcuts }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = useSignal(false)
  const open = () => {
    isOpen.value = true
  }
  useShortcuts(shortcuts, [{ key: '?', about: 'Keys', act: open }])
  useEffect(() => {
    if (isOpen.value) dialog.current?.showModal()
  }, [isOpen.value])
  const close = () => dialog.current?.close()
  return (
    <dialog
      ref={dialog}
      class="card shortcut-help"
      aria-labelledby="shortcut-title"
      onClose={() => {
        isOpen.value = false
      }}
    >
      <h2 id="shortcut-title">Keys</h2>
      <dl>
        {shortcuts.all.value.map(({ key, about }) => (
          <div key={key + about}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  )
}
