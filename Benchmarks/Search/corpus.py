"""Text that looks like what people and models write: few words are common, most are rare; the same for the same seed."""

import random

SYLLABLES = ["ka", "to", "re", "mi", "so", "lu", "ne", "pa", "vi", "do", "sa", "be", "gu", "ri", "ho", "te"]
EPOCH = 1_690_000_000


def word(rank):
    """The word of a rank."""
    text = ""
    while True:
        text += SYLLABLES[rank % 16]
        rank //= 16
        if rank == 0:
            return text


class Corpus:
    """Paragraphs put together from sentences that were made once, so that a gigabyte takes seconds."""

    def __init__(self, seed=1):
        self.random = random.Random(seed)
        words = [word(rank) for rank in range(40_000)]
        self.sentences = []
        for _ in range(20_000):
            length = self.random.randint(6, 14)
            picked = [words[int(40_000 * self.random.random() ** 3)] for _ in range(length)]
            if self.random.random() < 0.03:
                picked.append("東京の天気")
            self.sentences.append(" ".join(picked))

    def text(self, sentences):
        """So many sentences."""
        return ". ".join(self.random.choices(self.sentences, k=sentences))
