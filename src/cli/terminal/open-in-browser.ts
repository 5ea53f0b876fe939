import { spawn } from 'node:child_process'

/** Opens a page in the user's browser, the one of `BROWSER` if that is set; calls back when that cannot be. */
export function openInBrowser(
  page: string,
  { BROWSER }: Readonly<Record<string, string | undefined>>,
  onFailure: () => void,
): void {
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
