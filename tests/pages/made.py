"""What the pages' tests score: two systems, two documents, two references each."""

CANDIDATES = {
    "careful": [
        "The old crane at the harbour was sold last week. Its new owner, a hotel company, wants to keep the cabin. "
        "Guests will sleep in the cabin of the crane. The city council agreed on Monday.",
        "Doctors found a new way to treat the illness. The treatment is cheap. It was tested on forty patients.",
    ],
    "scrambled": [
        "Guests will sleep above the water. The city council agreed on Monday. The old crane was sold. A hotel keeps "
        "cabins.",
        "The illness is cheap. Forty patients found doctors. Bananas are yellow.",
    ],
}
REFERENCES = [
    [
        "Last week the old harbour crane was sold. The buyer, a hotel company, plans to keep its cabin. Guests are to "
        "sleep in the cabin, high above the water. On Monday the city council gave its consent.",
        "The old crane was sold to a hotel company last week. The cabin stays. Guests will sleep over the water.",
    ],
    [
        "Physicians discovered a new treatment for the disease. It costs little. Forty patients took part in the test.",
        "A new cheap therapy for the disease was found and tried with forty patients.",
    ],
]
SOURCES = [
    "Der alte Hafenkran wurde letzte Woche verkauft. Eine Hotelfirma will die Kabine behalten. Am Montag stimmte der "
    "Stadtrat zu.",
    "Ärzte fanden eine neue Behandlung. Sie ist billig. Vierzig Patienten nahmen teil.",
]
METRICS = [
    *("moverscore", "bertscore", "dsfocus", "lexicalgraph", "dr", "coherence", "meteor", "combination", "chrf"),
    *("bleu", "focusfrequency", "cometqe", "connectivity"),
]
