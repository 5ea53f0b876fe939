import { type Command, isRunnable, readBlocks } from './shell.ts'
import type { openTerminal } from './terminal.ts'

/** Gives each example of the page that can run here a button, which shows below it what its commands print. */
export function addRunButtons(page: ParentNode): void {
  // VitePress may tell of one page several times.
  if (page.querySelector('.run') !== null) return
  const elements = [...page.querySelectorAll('.language-console')]
  const blocks = readBlocks(elements.map(element => element.querySelector('code')?.textContent ?? ''))
  const run = createRunner(blocks)
  for (const [index, block] of blocks.entries())
    if (isRunnable(block)) elements[index]?.after(createExample(() => run(index)))
}

/** Runs a block after those before it that did not run yet, so that it prints what the page shows. Running it again starts over. */
function createRunner(blocks: readonly (readonly Command[])[]) {
  let terminal: ReturnType<typeof openTerminal> | undefined
  let done = 0
  let before: Promise<unknown> = Promise.resolve()

  const runTo = async (index: number): Promise<string> => {
    if (terminal === undefined || index < done) {
      terminal = (await import('./terminal.ts')).openTerminal()
      done = 0
    }
    let shown = ''
    for (; done <= index; done++) {
      shown = ''
      for (const { line, action } of blocks[done] ?? []) shown += `$ ${line}\n${await terminal(action)}`
    }
    return shown.trimEnd()
  }

  return (index: number): Promise<string> => {
    const running = before.then(() => runTo(index))
    // One click after the other: they share the pet-mock of the page.
    before = running.catch(() => {
      terminal = undefined
    })
    return running
  }
}

/** A button, and the place where a screen reader hears what the commands print. */
function createExample(run: () => Promise<string>): HTMLElement {
  const example = document.createElement('div')
  example.className = 'run'
  example.innerHTML = `<button type="button" title="Runs these commands in this page, without a server">Run</button>
<div role="status" aria-label="Output of the commands"></div>`
  const [button, status] = [...example.children] as [HTMLButtonElement, HTMLElement]
  button.onclick = async () => {
    status.ariaBusy = 'true'
    const output = document.createElement('pre')
    // So that the keyboard can scroll it.
    output.tabIndex = 0
    output.textContent = await run().catch(error => `This cannot run here: ${error}`)
    status.replaceChildren(output)
    status.ariaBusy = null
  }
  return example
}
