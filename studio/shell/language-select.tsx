/**
 * @module The choice of a language. The page is loaded again in it.
 */
import { chooseLanguage } from '../texts/language.ts';
import { LANGUAGES, language, text } from '../texts/text.ts';
import { Select } from '../ui/inputs.tsx';

const NAMES = Object.fromEntries(Object.entries(LANGUAGES).map(([code, [name]]) => [code, name]));

export const LanguageSelect = () => (
  <Select label={text('Language')} value={language()} options={NAMES} onChange={chooseLanguage} />
);
