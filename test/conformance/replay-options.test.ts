import { OPTIONS } from './embedded.ts';
import { replayCorpus } from './replay-corpus.ts';

replayCorpus(OPTIONS);
