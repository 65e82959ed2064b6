/**
 * @module How messages to users leave: a seam, and the implementation of a local server.
 */

export interface EmailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface EmailSender {
  send(message: EmailMessage): Promise<void>;
}

/** Prints messages, so that their links can be followed on a local server. */
export const consoleSender: EmailSender = {
  async send({ to, subject, text }) {
    console.log(`E-mail to ${to}: ${subject}\n${text}`);
  },
};

/** For deployments that have no sender: codes are secrets and do not belong in a log. */
export const noSender: EmailSender = {
  async send({ subject }) {
    console.error(JSON.stringify({ message: `no e-mail sender is configured; "${subject}" was not sent` }));
  },
};
