import type { Notices } from '../state/notices.ts'

/** Short messages in the corner. Screen readers say them. */
export function NoticeList({ notices }: { readonly notices: Notices }) {
  return (
    <div class="notices" role="log" aria-label="Messages">
      {notices.all.value.map(({ id, tone, text }) => (
        <button key={id} type="button" class="notice" data-tone={tone} onClick={() => notices.dismiss(id)}>
          {text}
        </button>
      ))}
    </div>
  )
}
