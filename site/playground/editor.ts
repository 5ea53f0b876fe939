import { autocompletion, type CompletionContext } from '@codemirror/autocomplete'
import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import type { Signal } from '@preact/signals'
import { completionsAt } from './complete.ts'
import first from './first.yaml?raw'
import { readYaml, useScenario } from './mock.ts'

export interface Editor {
  /** Starts the scenario, if it has no mistakes. */
  readonly run: () => Promise<void>
  readonly close: () => void
}

/** Kept while the page is open. */
let text = first

/** Opens an editor of a scenario file, and keeps the list of its mistakes, with their lines. */
export function openEditor(parent: HTMLElement, complaints: Signal<readonly string[]>): Editor {
  const read = async () => {
    const reading = await readYaml(text)
    const found = reading.ok ? [] : reading.complaints
    complaints.value = found.map(({ line, message }) => `Line ${line}: ${message}`)
    return { found, file: reading.ok ? reading.value : undefined }
  }
  const mark = async ({ state }: EditorView): Promise<Diagnostic[]> => {
    text = state.doc.toString()
    const { found } = await read()
    return found.map(({ line, column, message }) => {
      const { from, to } = state.doc.line(Math.min(line, state.doc.lines))
      return { from: Math.min(from + column - 1, to), to, message, severity: 'error' }
    })
  }
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      yaml(),
      syntaxHighlighting(defaultHighlightStyle),
      autocompletion({ override: [complete] }),
      linter(mark, { delay: 300 }),
      // Tab leaves the editor, so that the keyboard is not caught.
      keymap.of([...standardKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': 'Scenario file' }),
    ],
  })
  return {
    run: async () => {
      text = view.state.doc.toString()
      const { file } = await read()
      if (file !== undefined) await useScenario(file)
    },
    close: () => view.destroy(),
  }
}

async function complete(context: CompletionContext) {
  const word = context.matchBefore(/[\w-]*/)
  if (word === null || (word.from === word.to && !context.explicit)) return null
  const options = await completionsAt(context.state.doc.toString().slice(0, word.from))
  return options.length === 0 ? null : { from: word.from, options: [...options] }
}
