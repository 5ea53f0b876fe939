import { spawn } from 'node:child_process'
import type { Environment } from './io.ts'

/** Opens a page in the browser that `BROWSER` names, else in the default browser. */
export function openInBrowser(page: string, { BROWSER }: Environment, onFailure: () => void): void {
  const [program, ...args] = opener(page, BROWSER)
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', onFailure)
  child.on('exit', code => {
    if (code !== 0) onFailure()
  })
  child.unref()
}

function opener(page: string, browser = ''): readonly [program: string, ...args: string[]] {
  if (browser !== '') return [browser, page]
  switch (process.platform) {
    case 'darwin':
      return ['open', page]
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', page]
    default:
      return ['xdg-open', page]
  }
}
