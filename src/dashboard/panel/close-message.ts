/**
 * What the frame says to its page when somebody presses Escape in it. It has no data, so any page may hear it. A type, and not
 * a value: `panel.js` must share no file with the frame, because a page of another origin could not load it.
 */
export type CloseMessage = 'pet-mock: close the panel'
