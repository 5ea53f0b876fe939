import { homedir, platform } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../../terminal/io.ts'

/** Where programs of the user keep what they can make again (XDG Base Directory Specification). */
export function cacheFolder(
  { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '' }: Environment,
  system: NodeJS.Platform = platform(),
  home: string = homedir(),
): string {
  if (isAbsolute(xdg)) return join(xdg, 'pet-mock')
  if (system === 'darwin') return join(home, 'Library', 'Caches', 'pet-mock')
  if (system === 'win32')
    return join(local === '' ? join(home, 'AppData', 'Local') : local, 'pet-mock', 'Cache')
  return join(home, '.cache', 'pet-mock')
}
