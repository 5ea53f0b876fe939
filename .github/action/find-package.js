import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The program of pet-mock: the installed one of a project, or one that npm installs into `directory`.
 *
 * @param {string} project
 * @param {string} version What npm can install, such as 1.2.0, or nothing.
 * @param {string} directory
 */
export function findPackage(project, version, directory) {
  if (version === '') {
    try {
      const manifest = createRequire(join(project, 'package.json')).resolve('pet-mock/package.json')
      return join(dirname(manifest), 'dist/pet-mock.cjs')
    } catch {}
  }
  // Until pet-mock is published, somebody else may own its name on the registry.
  if (version === '')
    throw new Error(
      'pet-mock is not installed in this project. Add a step that runs npm ci before this one, or set "version".',
    )
  const name = /^[\w.^~<>=*-]+$/.test(version) && !version.endsWith('.tgz') ? `pet-mock@${version}` : version
  const isWindows = process.platform === 'win32'
  const args = ['install', '--prefix', directory, '--no-save', '--no-audit', '--no-fund', name]
  execFileSync('npm', isWindows ? args.map(word => `"${word}"`) : args, {
    cwd: project,
    stdio: 'inherit',
    // npm is a script there.
    shell: isWindows,
  })
  return join(directory, 'node_modules/pet-mock/dist/pet-mock.cjs')
}
