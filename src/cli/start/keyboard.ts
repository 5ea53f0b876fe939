import { spawnSync } from 'node:child_process'
import { readStat } from './state/lock-owner.ts'

/**
 * Passes single keys to `onKey`, and sends the signals of Ctrl+C, Ctrl+\ and Ctrl+Z after it. Returns a function that restores
 * the terminal, or undefined in a background process, which the system would stop for changing the terminal.
 */
export function openKeyboard(onKey: (key: string) => void): (() => void) | undefined {
  if (!isForeground()) return undefined
  const { stdin } = process

  const listen = () => {
    stdin.setRawMode(true)
    stdin.resume()
  }
  const leave = () => {
    stdin.setRawMode(false)
    stdin.pause()
  }
  const onContinue = () => {
    if (isForeground()) listen()
  }
  const onData = (text: string) => {
    for (const [key] of text.matchAll(keys)) {
      onKey(key)
      const signal = signals[key]
      if (signal !== undefined) {
        if (signal !== 'SIGINT') leave()
        send(signal)
      }
    }
  }

  stdin.setEncoding('utf8')
  stdin.on('data', onData)
  process.on('SIGCONT', onContinue)
  listen()
  return () => {
    process.off('SIGCONT', onContinue)
    stdin.off('data', onData)
    if (isForeground()) leave()
    stdin.unref()
  }
}

const escapeCode = '\x1b'
/** A key: the sequence of an arrow, a function key or an Alt combination, or one character. */
const keys = new RegExp(`${escapeCode}(?:\\[[0-9;?]*[@-~]|O?[^${escapeCode}])?|[^${escapeCode}]`, 'gsu')

const signals: Readonly<Record<string, 'SIGINT' | 'SIGQUIT' | 'SIGTSTP'>> = {
  '\x03': 'SIGINT',
  '\x1c': 'SIGQUIT',
  '\x1a': 'SIGTSTP',
}

/** Signals the whole process group, as a terminal does: npm and its shell belong to it. */
function send(signal: 'SIGINT' | 'SIGQUIT' | 'SIGTSTP'): void {
  if (process.platform === 'win32') process.emit(signal, signal)
  else process.kill(0, signal)
}

/** Whether this process group owns the terminal. Node has no tcgetpgrp. */
function isForeground(): boolean {
  switch (process.platform) {
    case 'win32':
      return true
    case 'linux': {
      const { group, foreground } = readStat('self') ?? {}
      return group !== undefined && group === foreground
    }
    default: {
      const { stdout } = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', `${process.pid}`], { encoding: 'utf8' })
      const [group, foreground] = (stdout ?? '').trim().split(/\s+/)
      return group !== undefined && group !== '' && group === foreground
    }
  }
}
